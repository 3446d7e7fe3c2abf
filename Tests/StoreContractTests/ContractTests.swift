import CoreData
import StoreContract
import Testing

/// Every kind of store that comes with the library does what every store must.
@Suite(.timeLimit(.minutes(20))) struct ContractTests {
    @Test(
        "each kind of store keeps the contract (STO-07, TEST-04)",
        arguments: StoreKind.all.flatMap { StoreContract.checks(for: $0) })
    func eachKindOfStoreKeepsContract(check: StoreContract.Check) throws { try check.run() }
}
