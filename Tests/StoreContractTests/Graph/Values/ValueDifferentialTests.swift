import CoreData
import StoreContract
import TestBasics
import Testing

/// The same requests, made by a seed, of a file of SQLite and of memory: both must give the same.
@Suite struct ValueDifferentialTests {
    @Test(
        "both stores give the same for made-up requests (FET-15, FET-17, FET-19)", .timeLimit(.minutes(20)),
        arguments: [1, 2, 3, 4] as [UInt64])
    func storesAgree(seed: UInt64) throws {
        let file = try ValueModel.stack(.sqlite, people: 60, seed: seed)
        let memory = try ValueModel.stack(.inMemory, people: 60, seed: seed)
        var maker = ValueRequestMaker(random: SeededRandom(seed: seed &* 977))
        var (answered, rows) = (0, 0)
        for number in 0..<250 {
            let request = maker.request()
            let (left, right) = (ValueOutcome(file, request), ValueOutcome(memory, request))
            #expect(left == right, "seed \(seed), request \(number): \(ValueRequestMaker.text(request))")
            if case .success(let found) = left { (answered, rows) = (answered + 1, rows + found.count) }
        }
        #expect(answered > 150 && rows > 1_000, "\(answered) answered, \(rows) rows")
        #expect(file.context.registeredObjects.isEmpty && memory.context.registeredObjects.isEmpty)
    }
}
