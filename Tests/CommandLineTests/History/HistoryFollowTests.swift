import CoreData
import TestBasics
import Testing

@Suite struct HistoryFollowTests {
    /// `coredata history --follow`, running; what it prints goes to a file.
    private final class Follower {
        let process = Process()
        private let output: URL
        private let errors: URL

        init(_ diary: Diary, _ arguments: [String]) throws {
            let folder = try Scratch.folder()
            (output, errors) = (folder.appendingPathComponent("output"), folder.appendingPathComponent("errors"))
            for file in [output, errors] { try Data().write(to: file) }
            process.executableURL = Tool.url
            process.arguments = ["history", diary.store.path, "--follow"] + arguments
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = try FileHandle(forWritingTo: errors)
            try process.run()
        }

        var text: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
        var errorText: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

        /// Ends the process if it runs still: the number of one that has ended may be another's by now.
        func interrupt(by signal: Int32) {
            if signal == SIGINT { process.interrupt() } else { process.terminate() }
        }

        func waitForEnd() {
            process.waitUntilExit(within: .seconds(30))
            try? FileManager.default.removeItem(at: output.deletingLastPathComponent())
        }
    }

    private func insert(_ name: String, into context: NSManagedObjectContext) throws {
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context).setValue(name, forKey: "name")
            context.transactionAuthor = name
            try context.save()
        }
    }

    @Test(
        "transactions of other processes are printed as they come, until interrupted (CTX-34)",
        arguments: [SIGINT, SIGTERM])
    func transactionsArePrintedAsTheyAreCommitted(signal: Int32) throws {
        let diary = try Diary()
        defer { diary.remove() }
        let follower = try Follower(diary, ["--format", "json", "--limit", "1"])
        eventually("what is there already") { follower.text.contains("\"id\":3") }
        let context = try Diary.context(diary.store)
        for number in 4...6 {
            try insert("writer \(number)", into: context)
            eventually("transaction \(number)") { follower.text.contains("\"author\":\"writer \(number)\"") }
        }
        let all = follower.text
        let errors = follower.errorText
        follower.interrupt(by: signal)
        eventually("the end of the array") { follower.text.hasSuffix("\n]\n") }
        let text = follower.text
        follower.waitForEnd()
        #expect(follower.process.terminationReason == .exit && follower.process.terminationStatus == 0)
        #expect(text.hasPrefix(all) && errors == "")
        let read = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
        #expect(read?.compactMap { $0["id"] as? Int } == [3, 4, 5, 6])
    }

    @Test func filtersHoldForWhatComesLater() throws {
        let diary = try Diary()
        defer { diary.remove() }
        let follower = try Follower(diary, ["--author", "wanted"])
        defer {
            follower.interrupt(by: SIGTERM)
            follower.waitForEnd()
        }
        eventually("the titles") { follower.text.contains("NUMBER") }
        let context = try Diary.context(diary.store)
        for name in ["other", "wanted", "other", "wanted"] { try insert(name, into: context) }
        eventually("both") { follower.text.components(separatedBy: "wanted").count == 3 }
        #expect(!follower.text.contains("other"))
    }

    @Test func readerThatGoesAwayEndsIt() throws {
        let diary = try Diary()
        defer { diary.remove() }
        let outcome = try Tool.run(
            ["history", diary.store.path, "--follow"], script: #""$0" "$@" | head -n 1; echo "ended""#)
        #expect(outcome.code == 0 && !outcome.wasKilled)
        #expect(outcome.output.hasSuffix("ended\n"))
    }
}
