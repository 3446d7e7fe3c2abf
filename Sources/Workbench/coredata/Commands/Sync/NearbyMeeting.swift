import CoreDataPrinting
import CoreDataSyncPeers
import CoreDataSyncing
import CoreDataWorkbench
import Dispatch
import Foundation
import MultipeerConnectivity
import Synchronization

/// Devices nearby at a terminal: prints who comes and goes, and asks whether codes are the same.
final class NearbyMeeting: Sendable {
    private struct Shown {
        var devices: [NearbyDevice] = []
        var failure: SyncError?
        /// Codes that people were asked about, by device.
        var asked: [String: String] = [:]
    }

    private let transport: PeerGroupTransport
    private let shown = Mutex(Shown())
    /// Questions are asked one after the other: a terminal has one line of input.
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let questions = DispatchQueue(label: "coredata.NearbyMeeting")

    /// Begins to be visible, and to connect.
    ///
    /// - Throws: `UsageError` for options that are not understood, and `SyncError` if the port is taken.
    init(_ transport: PeerGroupTransport, _ arguments: Arguments, _ output: StandardOutput) throws {
        self.transport = transport
        var port: UInt16 = 0
        if arguments.has("listen") {
            guard let number = UInt16(exactly: try arguments.number("listen")) else {
                throw arguments.error("--listen takes a port, at most 65535")
            }
            port = number
        }
        transport.onChange { [weak self] in self?.show() }
        try SealedPlace.explained(transport.title) { try transport.start(port: port) }
        let addresses = transport.ownAddresses.filter { !$0.contains("%") }.joined(separator: ", ")
        StandardError.write(RunLanguage.text("This device is reached at \(addresses)."))
        if let address = arguments["connect"] {
            task.withLock { $0 = Task { [transport] in await Self.stayConnected(transport, address) } }
        }
    }

    /// Connects with the device at an address, again and again until people refuse it.
    private static func stayConnected(_ transport: PeerGroupTransport, _ address: String) async {
        var isWarned = false
        while !Task.isCancelled {
            do {
                let device = try await transport.connect(to: address)
                isWarned = false
                while transport.devices.contains(where: { $0.id == device && $0.state == .connected }) {
                    try await Task.sleep(for: .seconds(1))
                }
            } catch let error as SyncError {
                if !isWarned { warn(error) }
                guard error.code == .transport, PeerAddress(address) != nil else { return }
                isWarned = true
            } catch { return }
            try? await Task.sleep(for: .seconds(3))
        }
    }

    /// Exchanges until all that take part have the same, or the time is over; at least once.
    ///
    /// - Throws: `SyncError` with the code `transport` if no device was connected.
    func exchangeOnce(_ session: SyncSession, comparing: Bool, within seconds: Double) async throws -> SyncSummary {
        defer { stop() }
        let end = ContinuousClock.now + .seconds(seconds)
        var total = try await session.exchange(comparing: comparing)
        var wasConnected = false
        while ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(300))
            guard transport.devices.contains(where: { $0.state == .connected }) else { continue }
            wasConnected = true
            total.add(try await session.exchange())
            guard transport.missingCount == 0 else { continue }
            let status = try await session.status()
            // A device that joins has no peers yet that could lack anything.
            if status.isInSync, status.peers.count > 1 { break }
        }
        guard wasConnected else { throw Self.alone(transport.discoveryFailure) }
        // What was written last still goes out.
        try await Task.sleep(for: .milliseconds(500))
        return total
    }

    /// Ends, and leaves those it is connected with.
    func stop() {
        task.withLock { $0?.cancel() }
        transport.stop()
    }

    private static func alone(_ failure: SyncError?) -> SyncError {
        SyncError(
            .transport, "No device of the group was connected.",
            cure: failure?.cure
                ?? "Run 'coredata sync run' on another device in the same network, or name its address by --connect.")
    }

    /// Prints what is new.
    private func show() {
        let (devices, failure) = (transport.devices, transport.discoveryFailure)
        let (lines, comparing) = shown.withLock { shown in
            defer { (shown.devices, shown.failure) = (devices, failure) }
            var lines = devices.filter { !shown.devices.contains($0) }.compactMap { Self.line($0) }
            // That neither others are found nor this device is seen has one cause.
            if let failure, shown.failure == nil { lines.append(failure.description + " " + failure.cure) }
            let comparing = devices.filter { $0.code != nil && shown.asked[$0.id] != $0.code }
            for device in comparing { shown.asked[device.id] = device.code }
            return (lines, comparing)
        }
        for line in lines { StandardError.write(line) }
        for device in comparing { questions.async { [weak self] in self?.ask(device) } }
    }

    private static func line(_ device: NearbyDevice) -> String? {
        let name = PrintableText.escaped(device.name)
        let problem = device.problem.map { ": \(PrintableText.escaped($0))" } ?? ""
        let text: String? =
            switch device.state {
            case .visible, .lost: device.problem == nil ? nil : "device '\(name)' is not connected"
            case .connected: "device '\(name)' is connected"
            case .refused: "device '\(name)' was not admitted"
            case .connecting, .comparing: nil
            }
        return text.map { RunLanguage.text($0) + problem }
    }

    /// Asks whether the other device shows the same code; no answer is a no.
    private func ask(_ device: NearbyDevice) {
        guard transport.devices.contains(device), let code = device.code else { return }
        StandardError.write("\(RunLanguage.text("code")) (\(PrintableText.escaped(device.name))): \(code)")
        let question = ["Does the other device show the same code?", "[y/N]"].map(RunLanguage.text)
        StandardError.write(question.joined(separator: " "))
        transport.answer(device.id, isSameCode: Confirmation.isYes(readLine()))
    }

    private static func warn(_ error: SyncError) {
        StandardError.write("\(Release.name): \(error.description) \(error.cure)")
    }
}
