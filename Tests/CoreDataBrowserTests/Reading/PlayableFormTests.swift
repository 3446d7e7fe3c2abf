import CoreDataBrowser
import CoreDataPictures
import Foundation
import LockKit
import Testing

@Suite("Forms that browsers play")
struct PlayableFormTests {
    private func digest(_ text: String) -> ContentDigest { ContentDigest(Data(text.utf8)) }

    @Test("several requests for one content wait for one process, and later ones get what it made")
    func formsAreMadeOnce() async throws {
        let (forms, made) = (PlayableForms(byteLimit: 100), Locked(0))
        @Sendable func ask() async throws -> PlayableForms.Form {
            try await forms.form(of: digest("a")) {
                made.withLock { $0 += 1 }
                try await Task.sleep(for: .milliseconds(50))
                return .init(type: "audio/ogg", bytes: [1])
            }
        }
        let all = try await withThrowingTaskGroup(of: PlayableForms.Form.self) { group in
            for _ in 0..<8 { group.addTask { try await ask() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(all == Array(repeating: .init(type: "audio/ogg", bytes: [1]), count: 8))
        _ = try await ask()
        #expect(made.withLock { $0 } == 1)
    }

    @Test("what was not asked for longest goes when the bytes exceed the limit, and failures are tried again")
    func oldFormsGo() async throws {
        struct Failure: Error {}
        let forms = PlayableForms(byteLimit: 100)
        let made = Locked<[String]>([])
        @Sendable func ask(_ name: String, bytes: Int = 40) async throws {
            let form = try await forms.form(of: digest(name)) {
                made.withLock { $0.append(name) }
                if name == "bad" { throw Failure() }
                return .init(type: "video/webm", bytes: Array(repeating: 0, count: bytes))
            }
            #expect(form == .init(type: "video/webm", bytes: Array(repeating: 0, count: bytes)))
        }
        for name in ["a", "b", "a", "c", "a", "b"] { try await ask(name) }
        #expect(made.withLock { $0 } == ["a", "b", "c", "b"])
        for _ in 0..<2 { await #expect(throws: Failure.self) { try await ask("bad") } }
        for _ in 0..<2 { try await ask("large", bytes: 101) }
        #expect(made.withLock { $0 } == ["a", "b", "c", "b", "bad", "bad", "large", "large"])
    }
}
