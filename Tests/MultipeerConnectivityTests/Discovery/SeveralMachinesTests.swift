import Foundation
import TestBasics
import TestServers
import Testing

@Suite(
    "Discovery on several machines", .serialized,
    .enabled(if: DiscoveryServer.isAvailable, "\(DiscoveryServer.missing)"),
    .timeLimit(.minutes(4)))
struct SeveralMachinesTests {
    private let (here, there): (DiscoveryServer, DiscoveryServer)
    private let type = "m" + UUID().uuidString.lowercased().filter(\.isHexDigit).prefix(12)

    init() throws {
        (here, there) = (try DiscoveryServer(), try DiscoveryServer())
        try here.join(there)
    }

    private func child(on server: DiscoveryServer, _ words: String...) throws -> Child {
        try Child(words, of: Child.url("DiscoveryChild"), environment: server.environment)
    }

    /// Waits until a service of one machine is seen from the other one: by then the daemons agree about the names of their machines.
    private func waitForLink() async throws {
        let probe = try child(on: there, "publish", "Probe", "_link-probe._tcp", "4000")
        #expect(probe.line() == "published Probe")
        await eventually("the link between the machines") {
            ((try? here.browse("_link-probe._tcp")) ?? []).contains { $0.hasPrefix("=") && $0.contains(";10.77.0.2;") }
        }
        probe.kill()
    }

    @Test("a name that another machine has is changed, and both services are seen from both (PEER-15)")
    func names() async throws {
        try await waitForLink()
        let first = try child(on: there, "publish", "Twin", "_\(type)._tcp", "4711")
        #expect(first.line() == "published Twin")
        await eventually("the first service here") {
            (try? here.browse("_\(type)._tcp"))?.contains { $0.hasPrefix("=") } == true
        }
        let second = try child(on: here, "publish", "Twin", "_\(type)._tcp", "4712")
        #expect(second.line() == "published Twin #2")
        for server in [here, there] {
            await eventually("both services") {
                let lines = ((try? server.browse("_\(type)._tcp")) ?? []).filter {
                    $0.hasPrefix("=") && $0.contains(";10.77.0.")
                }
                return lines.contains { $0.contains(";Twin;") && $0.contains(";4711;") }
                    && lines.contains { $0.contains(";Twin\\032\\0352;") && $0.contains(";4712;") }
            }
        }
        for child in [first, second] { child.kill() }
    }

    @Test("peers of two machines see each other come and go (PEER-03)")
    func peers() async throws {
        try await waitForLink()
        let ann = try child(on: here, "browse", "Ann", type)
        let bob = try child(on: there, "advertise", "Bob", type, "level=2")
        #expect(ann.line() == "+Bob level=2")
        bob.kill()
        #expect(ann.line() == "-Bob")
        let cid = try child(on: there, "advertise", "Cid", type)
        #expect(ann.line() == "+Cid")
        try here.leaveNetwork()
        #expect(ann.line() == "-Cid")
        for child in [ann, cid] { child.kill() }
    }

    @Test("services of one name on two networks that become one end with two names, each seen from both (PEER-15)")
    func joiningNetworks() async throws {
        try here.leaveNetwork()
        let children = try zip([there, here], ["4711", "4712"]).map {
            try child(on: $0, "publish", "Twin", "_\(type)._tcp", $1)
        }
        defer { for child in children { child.kill() } }
        for child in children { #expect(child.line() == "published Twin") }
        try here.join(there)
        // Who has to give way says its new name; each wait for a line is short, and all of them end.
        var names = ["Twin", "Twin"]
        let end = ContinuousClock.now + .seconds(60)
        while Set(names).count == 1, ContinuousClock.now < end {
            for (index, child) in children.enumerated() {
                guard case .line(let line) = child.word(within: 200), line.hasPrefix("published ") else { continue }
                names[index] = String(line.dropFirst("published ".count))
            }
        }
        #expect(Set(names).count == 2, "\(names)")
        for server in [here, there] {
            await eventually("both services", within: .seconds(20)) {
                let lines = ((try? server.browse("_\(type)._tcp")) ?? []).filter {
                    $0.hasPrefix("=") && $0.contains(";10.77.0.")
                }
                return ["4711", "4712"].allSatisfy { port in lines.contains { $0.contains(";\(port);") } }
            }
        }
    }
}
