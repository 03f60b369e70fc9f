// Words of those who build agents and trade on chains, and everyday sentences with the same words.
import { describe, expect, test } from 'bun:test'
import { openSemantic, toEntries } from './listings.ts'

const TEXTS: readonly (readonly [name: string, description: string])[] = [
  ['Fee Watch', 'Current gas fees of many chains.'],
  ['Pump Finder', 'Finds the nearest gas station.'],
  ['Margin Desk', 'A derivatives trading platform for coins.'],
  ['Charity Chest', 'Funding for research and rates of donations.'],
  ['Pool Rates', 'Interest rates and pools of lending protocols.'],
  ['Library Loans', 'Lets readers borrow a book.'],
  ['Chain Ledger', 'Every transaction of an account, decoded.'],
  ['Memory Lane', 'The history of a town in pictures.'],
  ['Brush', 'Text to image with diffusion models.'],
  ['Gene Bank', 'Finds a gene in an image of a cell.'],
  ['Open Chat', 'Chat completions by large language models.'],
  ['Prompt Forge', 'A GPT that writes prompts for a GPT.'],
  ['Abstracts', 'Scientific papers with their citations.'],
  ['Front Page', 'Headlines from ten thousand papers.'],
  ['Thesis Polish', '論文の校正をします。'],
  ['Profile Reader', 'Posts, followers and replies of public profiles.'],
  ['Post Now', 'SNSにつぶやきを投稿します。'],
  ['Mail Check', 'Validates email addresses.'],
  ['Throwaway', 'Gives you a disposable email address for an hour.'],
  ['Number Check', 'Phone number validation.'],
  ['Dialer', 'Makes a phone call to a number.'],
  ['Weak Spots', 'Scans a network for vulnerabilities.'],
  ['Doctor Desk', 'Retrieves the diagnosis of a disease.'],
  ['Contract Audit', 'Scans a smart contract for known vulnerabilities.'],
  ['Contract Press', 'Creates a smart contract.'],
  ['Payout', 'Transfers funds abroad, remittance in minutes.'],
  ['Heat Lab', 'Computes the heat transfer of a wall.'],
  ['Field Split', '履歴書を項目に分けます。'],
  ['Career Coach', '履歴書の書き方を助言します。'],
  ['Lead Desk', 'Finds the decision maker and enriches a lead.'],
  ['Mail Out', 'Sends an email to a list.'],
  ['Shop Watch', 'Follows a price and tells when it falls.'],
  ['Wake Up', '目覚ましのアラームを設定します。'],
]
const catalog = openSemantic(...toEntries(TEXTS))
const firstOf = (q: string) => catalog.searchByIntent({ q, limit: 5 }).decode().results[0]?.service.name

describe('a word of the field is what services call it', () => {
  test.each([
    ['current gas price', 'Fee Watch'],
    ['gas estimate for a swap', 'Fee Watch'],
    ['ガス代はいくら', 'Fee Watch'],
    ['funding rates of perps', 'Margin Desk'],
    ['open interest and liquidations', 'Margin Desk'],
    ['先物の建玉', 'Margin Desk'],
    ['aave borrow rates', 'Pool Rates'],
    ['borrowing rates on morpho', 'Pool Rates'],
    ['tx history of an account', 'Chain Ledger'],
    ['decode txs', 'Chain Ledger'],
    ['gpt-4o proxy', 'Open Chat'],
    ['find papers on sleep', 'Abstracts'],
    ['literature search', 'Abstracts'],
    ['睡眠の論文を探したい', 'Abstracts'],
    ['search tweets about a brand', 'Profile Reader'],
    ['ツイートを取得したい', 'Profile Reader'],
    ['is this email address real', 'Mail Check'],
    ['check if the mailbox exists', 'Mail Check'],
    ['メアドが存在するか', 'Mail Check'],
    ['サーバーの脆弱性診断', 'Weak Spots'],
    ['スマートコントラクトの監査', 'Contract Audit'],
    ['コントラクトの安全性を診断', 'Contract Audit'],
    ['海外への送金', 'Payout'],
    ['sales leads in fintech', 'Lead Desk'],
    ['price alerts for a camera', 'Shop Watch'],
    ['価格アラート', 'Shop Watch'],
  ])('%s: %s', (query, name) => {
    expect(firstOf(query)).toBe(name)
  })
})

describe('the same words of something else stay what they are', () => {
  test.each([
    ['where is a gas station', 'Pump Finder'],
    ['近くのガソリンスタンド', 'Pump Finder'],
    ['funding for research', 'Charity Chest'],
    ['borrow a book', 'Library Loans'],
    ['history of my town', 'Memory Lane'],
    ['a gene in a cell', 'Gene Bank'],
    ['write prompts for a GPT', 'Prompt Forge'],
    ['headlines of papers', 'Front Page'],
    ['論文の校正', 'Thesis Polish'],
    ['SNSに投稿する', 'Post Now'],
    ['give me a disposable email address', 'Throwaway'],
    ['make a phone call', 'Dialer'],
    ['病気の診断', 'Doctor Desk'],
    ['create a smart contract', 'Contract Press'],
    ['heat transfer', 'Heat Lab'],
    ['履歴書の書き方', 'Career Coach'],
    ['send an email to a list', 'Mail Out'],
    ['朝のアラーム', 'Wake Up'],
  ])('%s: %s', (query, name) => {
    expect(firstOf(query)).toBe(name)
  })
})
