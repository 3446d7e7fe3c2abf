import CoreData
import StoreContract
import Testing

/// Stores of one's own, written with the public classes, do what every store must.
@Suite(.timeLimit(.minutes(20))) struct OwnStoreContractTests {
    static let dictionary = DictionaryStore.kind([.exactDecimals, .exactReals, .namesRecords])
    static let jsonFile = JSONFileStore.kind([.durable, .exactDecimals, .exactReals, .namesRecords])

    @Test(
        "an incremental store keeps the contract (STO-05, STO-07)",
        arguments: [dictionary, jsonFile].flatMap { StoreContract.checks(for: $0) })
    func incrementalStoreKeepsContract(check: StoreContract.Check) throws { try check.run() }
}
