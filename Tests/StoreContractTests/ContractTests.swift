import CoreData
import StoreContract
import Testing

/// Every kind of store that comes with the library does what every store must.
@Suite(.timeLimit(.minutes(20))) struct ContractTests {
    @Test(
        "STO-07: each kind of store keeps the contract",
        arguments: StoreKind.all.flatMap { StoreContract.checks(for: $0) })
    func contract(check: StoreContract.Check) throws { try check.run() }
}
