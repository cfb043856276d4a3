internal import AuthCoreCrypto

func mutated(_ number: Int, _ condition: @autoclosure () -> Bool) -> Bool {
    Mutants.isActive(number) ? !condition() : condition()
}

func isKept(_ number: Int) -> Bool { !Mutants.isActive(number) }
