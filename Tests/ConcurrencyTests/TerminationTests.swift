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
        "CTX-05: a process that is asked to end saves the chosen contexts and ends by the signal",
        arguments: [SIGTERM, SIGINT, SIGHUP])
    func signals(number: Int32) throws {
        let child = try Child("end", url.path, "saving")
        #expect(child.line() == "ready")
        child.send(number)
        #expect(child.status() == -Int(number))
        #expect(try savedNumbers() == [1, 2])
    }

    @Test("CTX-05: a signal that comes while the first context is chosen ends the process too")
    func signalDuringRegistration() throws {
        for _ in 0..<5 {
            let child = try Child("end", url.path, "asked")
            // The process is saved as soon as it can be, or else when the limit is over; it must not stay for ever.
            #expect(child.status() == -Int(SIGTERM))
        }
        #expect(Set(try savedNumbers()).isSubset(of: [1, 2]))
    }

    @Test("CTX-05: a process that ends by itself saves them too, and keeps its status")
    func exit() throws {
        let child = try Child("end", url.path, "exit")
        #expect(child.lines() == ["ready"])
        #expect(child.status() == 7)
        #expect(try savedNumbers() == [1, 2])
    }

    @Test("CTX-05: a context that does not come to an end does not keep the process or the others from it")
    func limit() throws {
        let child = try Child("end", url.path, "stuck")
        #expect(child.line() == "ready")
        child.send(SIGTERM)
        #expect(child.status() == -Int(SIGTERM))
        #expect(try savedNumbers() == [1])
    }

    @Test("CTX-05: switched off again, nothing is saved and the signal ends the process as ever")
    func switchedOff() throws {
        let child = try Child("end", url.path, "off")
        #expect(child.line() == "ready")
        child.send(SIGTERM)
        #expect(child.status() == -Int(SIGTERM))
        #expect(try savedNumbers() == [])
    }

    @Test("CTX-05: no context is saved unless it was chosen")
    func chosen() throws {
        let stack = try HeroModel.stack(.inMemory)
        #expect(!stack.context.savesOnTermination)
    }
}
