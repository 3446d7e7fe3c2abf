import CoreDataSyncHubServer
import Dispatch
import Foundation

/// A hub that prints its address, serves until the process is asked to end, and prints "ended".
enum ServedHub {
    static func run() throws {
        var settings = HubSettings(folder: URL(fileURLWithPath: CommandLine.arguments[1]))
        if CommandLine.arguments.contains("plain") { settings.security = .plainOnLoopback }
        let hub = try SyncHub(settings)
        signal(SIGTERM, SIG_IGN)
        let asked = DispatchSemaphore(value: 0)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
        source.setEventHandler { asked.signal() }
        source.setRegistrationHandler { say(hub.address(of: "group")) }
        source.activate()
        asked.wait()
        hub.stop(finishingWithin: .seconds(20))
        say("ended")
    }

    /// Writes a line at once, which `print` does not to a pipe.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
