import CoreData
import StoreContract
import Testing

/// Stores of one's own, written with the public classes, do what every store must.
@Suite(.timeLimit(.minutes(20))) struct OwnStoreContractTests {
    static let dictionary = DictionaryStore.kind([.exactDecimals, .exactReals, .namesRecords])
    static let jsonFile = JSONFileStore.kind([.durable, .exactDecimals, .exactReals, .namesRecords])

    @Test(
        "STO-05, STO-07: an incremental store keeps the contract",
        arguments: [dictionary, jsonFile].flatMap { StoreContract.checks(for: $0) })
    func incremental(check: StoreContract.Check) throws { try check.run() }
}
