// Signs in with a wallet of the browser: finds the wallets that announce themselves, requests the same message as the form does,
// and submits the signature in the same form.

const list = document.getElementById('wallets')
const said = document.getElementById('wallet-said')
const named = new Set()

const toHex = bytes => [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')

/** Requests the page with the message to sign, or with what is wrong. */
async function requestPage(address, network) {
  const form = document.getElementById('challenge')
  const body = new URLSearchParams(new FormData(form))
  body.set('address', address)
  body.set('network', network)
  const response = await fetch(form.getAttribute('action'), { method: 'POST', body })
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

/** Shows what is wrong, with the same wallets. */
function show(page) {
  const wallets = list.parentElement
  const main = document.getElementById('main')
  main.replaceChildren(...document.adoptNode(page.getElementById('main')).childNodes)
  document.getElementById('wallets')?.parentElement.replaceWith(wallets)
  document.getElementById('wallet-said')?.replaceWith(said)
}

/** The form that is shown to who signs elsewhere. */
function submitSigned(form, signature) {
  document.adoptNode(form)
  form.hidden = true
  form.elements.signature.value = signature
  document.body.append(form)
  form.submit()
}

/** @param connect resolves to the address, the network and a function that signs a message */
function offer(name, connect) {
  if (named.has(name)) return
  named.add(name)
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: name })
  button.addEventListener('click', async () => {
    said.textContent = ''
    try {
      const { address, network, sign } = await connect()
      const page = await requestPage(address, network)
      const form = page.getElementById('sign')
      if (form) submitSigned(form, await sign(page.getElementById('message').value))
      else show(page)
    } catch {
      // The wallet itself shows why; the page says that nothing was signed, and the wallet can be asked again.
      said.textContent = said.dataset.failed
    }
  })
  list.append(button)
  list.parentElement.hidden = false
}

/** EVM wallets: EIP-1193, announced by EIP-6963. */
const toEvm = provider => async () => {
  const [address] = await provider.request({ method: 'eth_requestAccounts' })
  const chain = Number(await provider.request({ method: 'eth_chainId' }))
  const sign = message => {
    const data = `0x${toHex(new TextEncoder().encode(message))}`
    return provider.request({ method: 'personal_sign', params: [data, address] })
  }
  return { address, network: `eip155:${chain}`, sign }
}

/** Solana wallets: the Wallet Standard. */
const toSolana = wallet => async () => {
  const { accounts } = await wallet.features['standard:connect'].connect()
  const [account] = accounts
  const sign = async message => {
    const given = { account, message: new TextEncoder().encode(message) }
    const [{ signature }] = await wallet.features['solana:signMessage'].signMessage(given)
    return toHex(signature)
  }
  return { address: account.address, network: 'solana', sign }
}

if (list) {
  addEventListener('eip6963:announceProvider', ({ detail: { info, provider } }) =>
    offer(info.name, toEvm(provider)),
  )
  dispatchEvent(new Event('eip6963:requestProvider'))
  if (named.size === 0 && globalThis.ethereum) offer(list.dataset.unnamed, toEvm(globalThis.ethereum))

  const register = (...wallets) => {
    for (const wallet of wallets)
      if (wallet.features['standard:connect'] && wallet.features['solana:signMessage'])
        offer(`${wallet.name} (Solana)`, toSolana(wallet))
    return () => {}
  }
  addEventListener('wallet-standard:register-wallet', ({ detail }) => detail({ register }))
  dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register } }))
}
