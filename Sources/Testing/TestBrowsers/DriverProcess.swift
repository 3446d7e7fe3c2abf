import Foundation
import TestBasics
import TestServers

/// A `chromedriver` process; its `/shutdown` command ends it together with its browsers.
final class DriverProcess: @unchecked Sendable {
    let port: Int
    private let child: Child

    init() throws {
        child = try Child(["--port=0"], of: try Toolchain.url("chromedriver"), errors: .nullDevice)
        // "ChromeDriver was started successfully on port 41423."
        while let line = child.line(within: 60_000) {
            guard let end = line.range(of: "successfully on port ")?.upperBound else { continue }
            guard let port = Int(line[end...].prefix(while: \.isNumber)) else { break }
            self.port = port
            return
        }
        throw Toolchain.Failure(description: "chromedriver did not start")
    }

    deinit {
        // Killing the process alone would leave its browsers running.
        _ = try? LoopbackRequest.exchange("GET", port: port, path: "/shutdown", body: nil)
        child.kill()
    }
}
