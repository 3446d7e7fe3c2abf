import CoreDataPrinting
import CoreDataSyncSealing
import CoreDataSyncing
import CoreDataWorkbench
import Foundation

/// Pairing by a code at a terminal: waits for the other device, prints the code, and asks whether both are the same.
enum CodeComparison {
    /// For how many seconds the other device is waited for.
    private static let patience = 600

    /// Admits the device that joins at the same time; false if the codes differ.
    static func admit(_ transport: SealedTransport) throws -> Bool {
        let host = try PairingHost(transport)
        do {
            guard try compare({ try host.advance() }) else {
                try host.cancel()
                return false
            }
            try host.confirm()
            return true
        } catch {
            try? host.cancel()
            throw error
        }
    }

    /// Joins the group of the device that admits at the same time.
    ///
    /// - Throws: `SyncError` with the code `pairing` if the codes differ, or no device answers.
    static func join(_ base: any SyncTransport, label: String) throws -> SealedTransport {
        let guest = try PairingGuest(over: base, label: label, keys: .standard())
        do {
            guard try compare({ try guest.advance() }) else { throw differing }
            let transport = try guest.confirm()
            try awaitAdmission(transport)
            try guest.cancel()
            return transport
        } catch {
            try? guest.cancel()
            throw error
        }
    }

    /// Waits until the other device's user has compared the code as well: that device still reads what this one wrote.
    private static func awaitAdmission(_ transport: SealedTransport) throws {
        for _ in 0..<patience {
            do {
                _ = try transport.items()
                return
            } catch let error as SyncError where error.code == .pairing { sleep(1) }
        }
        throw unanswered
    }

    static let differing = SyncError(
        .pairing, "The codes differ: others may have written to the folder, and the device was not paired.",
        cure: "Begin again on both devices, or pair them by a text")

    private static let unanswered = SyncError(
        .pairing, "No other device has answered.",
        cure: "Run 'coredata sync pair STORE --code' on one device and "
            + "'coredata sync init STORE --folder FOLDER --code' on the other")

    /// Waits for the code, and asks whether both are the same.
    private static func compare(_ advance: () throws -> PairingStage) throws -> Bool {
        StandardError.write(RunLanguage.text("Waiting for the other device."))
        for _ in 0..<patience {
            if case .comparing(let code, let label) = try advance() {
                let name = label.map { " (\(PrintableText.escaped($0)))" } ?? ""
                StandardError.write("\(RunLanguage.text("code"))\(name): \(code)")
                let question = ["Does the other device show the same code?", "[y/N]"].map(RunLanguage.text)
                StandardError.write(question.joined(separator: " "))
                return Confirmation.isYes(readLine())
            }
            sleep(1)
        }
        throw unanswered
    }
}
