import Foundation
import MultipeerConnectivity
import TestBasics
import Testing

struct ProcessTests {
    private func start(_ name: String, others: Int, messages: Int, at port: String? = nil) throws -> (Child, String) {
        let address = port.map { ["127.0.0.1:\($0)"] } ?? []
        let child = try Child([name, String(others), String(messages)] + address, of: Child.url("PeerChild"))
        let line = try #require(child.line())
        return (child, String(line.dropFirst("port ".count)))
    }

    @Test("eight processes connect by one address and have all messages once, in order (PEER-07)")
    func eightProcesses() throws {
        let (first, port) = try start("first", others: 7, messages: 200)
        let others = try (2...8).map { try start("peer \($0)", others: 7, messages: 200, at: port).0 }
        for child in [first] + others { #expect(child.line() == "complete") }
    }

    @Test("a killed process is not connected within the timeout, with a reason (PEER-11)")
    func killedProcess() throws {
        let (first, port) = try start("first", others: 2, messages: 5)
        let (second, _) = try start("second", others: 2, messages: 5, at: port)
        let (third, _) = try start("third", others: 2, messages: 5, at: port)
        for child in [first, second, third] { #expect(child.line() == "complete") }
        third.kill()
        for child in [first, second] {
            let line = try #require(child.line(within: 30_000))
            #expect(line.hasPrefix("lost third: ") && line.contains("did not come back within 10.0 seconds"), "\(line)")
        }
    }
}
