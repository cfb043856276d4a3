/// Returns whether an ID token with this claim has the nonce: plain, or as its SHA-256 in hexadecimal digits, as
/// Apple's and Firebase's clients send it.
package func isNonce(_ nonce: String, claimed claim: String) -> Bool {
    let (nonce, claim) = (Array(nonce.utf8), Array(claim.utf8))
    return equalInConstantTime(claim, nonce) || equalInConstantTime(claim, hexadecimal(SHA256.hash(nonce)))
}
