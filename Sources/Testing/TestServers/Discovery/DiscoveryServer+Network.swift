import Foundation
import TestBasics

extension DiscoveryServer {
    /// Makes a network of the daemons' machines, with a link between them.
    ///
    /// - Throws: `Missing` with what a program said.
    package func join(_ other: DiscoveryServer) throws {
        let (here, there) = (try daemonProcess(), try other.daemonProcess())
        try Self.ip(here, "link add lan0 type veth peer name lan0 netns \(there)")
        for (number, process) in [here, there].enumerated() {
            try Self.ip(process, "address add 10.77.0.\(number + 1)/24 dev lan0")
            try Self.ip(process, "link set lan0 up")
        }
    }

    /// Takes the link away.
    package func leaveNetwork() throws { try Self.ip(daemonProcess(), "link delete lan0") }

    private static func ip(_ process: Int, _ words: String) throws {
        let (code, output) = try Toolchain.run(
            "nsenter", ["-t", "\(process)", "-n", "ip"] + words.split(separator: " ").map(String.init))
        guard code == 0 else { throw Missing(description: "ip \(words): \(output)") }
    }
}
