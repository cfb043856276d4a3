internal import AuthCoreCrypto

func mutatedReason(_ number: Int, _ reason: Reason) -> Reason {
    Mutants.isActive(number) ? .factsContradict : reason
}

func mutatedRefusal(_ number: Int, _ refusal: Refusal) -> Refusal {
    Mutants.isActive(number) ? Refusal(refusal.code, .factsContradict, detail: refusal.detail) : refusal
}
