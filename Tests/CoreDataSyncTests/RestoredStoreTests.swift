import CoreDataSync
import SyncSimulator
import Testing

/// Stores that were put back from a backup, with no trace of it outside of them.
@Suite("Restored stores")
struct RestoredStoreTests {
    private func pair() throws -> EnginePair {
        var configuration = SyncConfiguration(schema: try SimulatedModel.schema(version: 1))
        configuration.lagLimit = 60_000
        return try EnginePair([configuration, configuration])
    }

    private func item(_ title: String) -> LocalChange {
        LocalChange(.new(1), .insert(entity: "Witness"), values: ["text": .string(title)])
    }

    private func texts(_ pair: EnginePair, _ index: Int) -> [String] {
        pair.rows[index].values.compactMap { row in
            if case .string(let text) = row.values["text"] { text } else { nil }
        }.sorted()
    }

    @Test("a restored store that had written nothing since takes what others no longer have in their logs (HAZ-59)")
    func readOnlyStoreCatchesUp() throws {
        var pair = try pair()
        let backup = (state: pair.states[1], rows: pair.rows[1])
        try pair.save(0, item("one"))
        try pair.exchange()
        for index in 0...1 { try pair.handle(.compact, index) }
        try pair.reopen(1, backup.state, backup.rows)
        try pair.save(1, item("two"))
        try pair.exchange()
        try pair.exchange()
        for index in 0...1 {
            #expect(texts(pair, index) == ["one", "two"])
            #expect(pair.engines[index].meta.rebase == nil)
        }
        #expect(pair.engines[0].meta.applied == pair.engines[1].meta.applied)
    }

    @Test("a store that is opened for each exchange notices all the same that it lacks what is in no log (HAZ-59)")
    func shortProcessesNoticeTheLag() throws {
        var pair = try pair()
        let backup = (state: pair.states[1], rows: pair.rows[1])
        try pair.save(0, item("one"))
        try pair.exchange()
        for index in 0...1 { try pair.handle(.compact, index) }
        try pair.reopen(1, backup.state, backup.rows)
        for _ in 0..<16 {
            for index in 0...1 { try pair.reopen(index, pair.states[index], pair.rows[index]) }
            try pair.greet()
        }
        for index in 0...1 {
            #expect(texts(pair, index) == ["one"])
            #expect(pair.engines[index].meta.rebase == nil)
        }
    }

    @Test("saves of a restored store that got the numbers of earlier ones reach everybody", arguments: [false, true])
    func reusedNumbersAreRenamed(isCompacted: Bool) throws {
        var pair = try pair()
        let backup = (state: pair.states[1], rows: pair.rows[1])
        try pair.save(1, item("one"))
        try pair.exchange()
        if isCompacted { for index in 0...1 { try pair.handle(.compact, index) } }
        try pair.reopen(1, backup.state, backup.rows)
        for text in ["two", "three", "four"] { try pair.save(1, item(text)) }
        if isCompacted { try pair.reopen(1, pair.states[1], pair.rows[1]) }
        for _ in 0..<3 { try pair.exchange() }
        for index in 0...1 { #expect(texts(pair, index) == ["four", "one", "three", "two"]) }
        #expect(pair.engines[0].meta.applied == pair.engines[1].meta.applied)
        #expect(isCompacted || pair.reports[0].contains { if case .forked = $0 { true } else { false } })
    }
}
