import CoreData
import StoreContract
import TestBasics
import Testing
import WriteScenarios

/// What a process saves when it is asked to end: rows 1 (main queue) and 2 of chosen contexts, never row 3 of a scratch one.
@Suite(.timeLimit(.minutes(20))) struct TerminationTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.url.appendingPathComponent("Rows.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func savedNumbers() throws -> [Int64] {
        let stack = try Stack(SharedRows.make(), url: url)
        return try stack.context.all("Row", sortedBy: "number").compactMap { $0.value(forKey: "number") as? Int64 }
    }

    @Test(
        "a process that is asked to end saves the chosen contexts and ends by the signal (CTX-05)",
        arguments: [SIGTERM, SIGINT, SIGHUP])
    func processThatIsAskedToEndSavesChosenContextsAndEndsBySignal(number: Int32) throws {
        let child = try Child("end", url.path, "saving")
        #expect(child.line() == "ready")
        child.send(number)
        #expect(child.status() == -Int(number))
        #expect(try savedNumbers() == [1, 2])
    }

    @Test("a signal that comes while the first context is chosen ends the process too (CTX-05)")
    func signalDuringRegistration() throws {
        for _ in 0..<5 {
            let child = try Child("end", url.path, "asked")
            // The process is saved as soon as it can be, or else when the limit is over; it must not stay for ever.
            #expect(child.status() == -Int(SIGTERM))
        }
        #expect(Set(try savedNumbers()).isSubset(of: [1, 2]))
    }

    @Test("a process that ends by itself saves them too, and keeps its status (CTX-05)")
    func processThatEndsByItselfSavesThemToo() throws {
        let child = try Child("end", url.path, "exit")
        #expect(child.lines() == ["ready"])
        #expect(child.status() == 7)
        #expect(try savedNumbers() == [1, 2])
    }

    @Test("a context that does not come to an end does not keep the process or the others from it (CTX-05)")
    func contextThatDoesNotComeToEndDoesNotKeepProcessOrOthers() throws {
        let child = try Child("end", url.path, "stuck")
        #expect(child.line() == "ready")
        child.send(SIGTERM)
        #expect(child.status() == -Int(SIGTERM))
        #expect(try savedNumbers() == [1])
    }

    @Test("switched off again, nothing is saved and the signal ends the process as ever (CTX-05)")
    func switchedOff() throws {
        let child = try Child("end", url.path, "off")
        #expect(child.line() == "ready")
        child.send(SIGTERM)
        #expect(child.status() == -Int(SIGTERM))
        #expect(try savedNumbers() == [])
    }

    @Test("no context is saved unless it was chosen (CTX-05)")
    func noContextIsSavedUnlessItWasChosen() throws {
        let stack = try HeroModel.stack(.inMemory)
        #expect(!stack.context.savesOnTermination)
    }
}
