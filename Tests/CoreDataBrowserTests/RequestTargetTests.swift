import CoreDataBrowser
import Testing

@Suite("Addresses of requests")
struct RequestTargetTests {
    @Test("a path is decoded once, and an escaped slash stays in its step (HAZ-62)")
    func escapedSlash() throws {
        let target = try RequestTarget("/stores/a%2Fb%252e/e?where=a%20%3D+1&x")
        #expect(target.steps == ["stores", "a/b%2e", "e"])
        #expect(target.query == ["where": "a = 1", "x": ""])
    }

    @Test(
        "steps that leave the folder, NUL and bad UTF-8 are refused (HAZ-62)",
        arguments: [
            "/a/%2e%2e/b", "/..", "/a%00b", "/%ff", "/%4", "/%zz", "a", "",
        ])
    func stepsThatLeaveFolder(_ text: String) {
        #expect(throws: BrowserFailure.self) { try RequestTarget(text) }
    }
}
