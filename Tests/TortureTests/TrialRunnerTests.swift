import CoreData
import StoreContract
import TestBasics
import Testing

/// That the runner sees what goes wrong, with programs that do so on purpose.
@Suite("A runner of trials", .timeLimit(.minutes(5)))
struct TrialRunnerTests {
    /// A program of the shell that makes five trials, and does `act` in the third; `$1` is the number of the first.
    private static func program(_ act: String) throws -> (folder: TemporaryFolder, url: URL) {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("trials")
        let script = """
            #!/bin/sh
            n=$1
            while [ $n -le 5 ]; do
                echo "> $n"
                if [ $n = 3 ]; then \(act); fi
                echo "< $n same"
                n=$((n + 1))
            done
            echo .
            """
        try Data(script.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
        return (folder, url)
    }

    @Test(
        "a crash, a hang and a failing program are counted, and the trials behind them are made (HAZ-04)",
        arguments: [
            ("true", TrialOutcome.same), ("kill -SEGV $$", .trap), ("exec sleep 100", .hang), ("exit 3", .broken),
            ("echo '< 3 lost the row'; n=4; continue", .lost),
        ])
    func badEnds(act: String, outcome: TrialOutcome) throws {
        let (folder, url) = try Self.program(act)
        let runner = TrialRunner(program: url, limits: TrialLimits(seconds: 2))
        let counts = try #require(try runner.run([TrialUnit("bad", arguments: [])])["bad"])
        #expect(counts.total == 5)
        #expect(counts[outcome] == (outcome == .same ? 5 : 1))
        #expect(counts.failed == (outcome == .same ? 0 : 1))
        if outcome != .same { #expect(counts.failures.first?.contains("trial 3") == true, "\(counts.failures)") }
        withExtendedLifetime(folder) {}
    }

    @Test("finished units are not made again, and a record that was cut off counts as not written (HAZ-04)")
    func finishedUnitsAreNotMadeAgain() throws {
        let (folder, url) = try Self.program("true")
        let record = folder.url.appendingPathComponent("record")
        let units = ["one", "two"].map { TrialUnit($0, arguments: []) }
        _ = try TrialRunner(program: url, record: record).run(units)
        let whole = try String(contentsOf: record, encoding: .utf8)
        #expect(whole.split(separator: "\n").count == 2)
        try Data(whole.dropLast(10).utf8).write(to: record)
        // The record alone says what came of the first unit: the program is no more.
        try Data("#!/bin/sh\nexit 4\n".utf8).write(to: url)
        let counts = try TrialRunner(program: url, record: record).run(units)
        #expect(counts.values.map { $0[.same] }.sorted() == [0, 5])
        #expect(counts.values.map { $0[.broken] }.sorted() == [0, 1])
    }

    @Test("a value that is changed in a row is explained, one that moves to another row is not (HAZ-04)")
    func valueThatIsChangedInRowIsExplained() throws {
        let builder = ModelBuilder()
        builder.entity("Note", ["text": .stringAttributeType])
        let stack = try Stack(builder.model, options: [NSSQLitePragmasOption: ["journal_mode": "delete"]])
        for number in 0..<5 { stack.context.insert("Note", ["text": "FINDME \(number)"]) }
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        let bytes = try Data(contentsOf: stack.url)
        let place = try #require(bytes.firstRange(of: Data("FINDME".utf8))?.lowerBound)
        let trials = try DamageTrials(of: stack.url, model: builder.model)
        #expect(try trials.trial(.flip(offset: place, mask: 1)).outcome == .explained)
        #expect(try trials.trial(.flip(offset: 0, mask: 0)).outcome == .same)
        #expect(try trials.trial(.flip(offset: 0, mask: 1)).outcome == .refused)
        let strict = try DamageTrials(of: stack.url, model: builder.model) { _, _ in false }
        #expect(try strict.trial(.flip(offset: place, mask: 1)).outcome == .silent)
    }
}
