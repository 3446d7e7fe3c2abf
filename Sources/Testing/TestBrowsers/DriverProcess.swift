import Foundation
import TestBasics
import TestServers

/// The process of `chromedriver`, which ends its browsers when it is asked to terminate.
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
        // Only this ends the browsers too.
        _ = try? LoopbackRequest.exchange("GET", port: port, path: "/shutdown", body: nil)
        child.kill()
    }
}
