import CoreDataExchange
import CoreDataPrinting
import CoreDataSyncing
import CoreDataWorkbench
import Dispatch
import Foundation

/// `sync run`: exchanges until it is interrupted.
struct SyncRunCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "run"],
        summary: "Exchanges whenever something changes, until interrupted; devices nearby find each other and connect.",
        operands: [.store],
        options: [
            .folder,
            Option(
                "every", value: "TIME",
                help: "Look each TIME (as 15s, 10m) what was saved here by other programs; 5s by default."),
        ] + NearbyPlace.options + [.model],
        details: [
            "Devices nearby are those whose stores name the same TYPE and group in 'sync init --peers'. When two meet for the first time, both "
                + "print a code of six digits and ask whether it is the same; from then on they know each other's keys.",
            "A file for --paired is JSON: {\"IDENTIFIER\": {\"name\", \"keyDigest\"}}, with what 'sync pair STORE --devices' prints on the other "
                + "device.",
            "Where devices do not find each other, the address that one prints is given to the other by --connect.",
            "An error of an exchange is printed, and the next exchange tries again.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let pause = try arguments.duration("every") ?? 5
        let place = try SyncedPlace(arguments)
        defer { place.store.close() }
        let (changed, cancellation) = (DispatchSemaphore(value: 0), ReadCancellation())
        let interruption = Interruption {
            cancellation.cancel()
            changed.signal()
        }
        defer { interruption.end() }
        let meeting = try place.nearby.map { try NearbyMeeting($0, arguments, output) }
        defer { meeting?.stop() }
        _ = place.transport.watch { changed.signal() }
        defer { _ = place.transport.watch(nil) }
        var failure: String?
        repeat {
            failure = try exchange(place, output, after: failure)
            try output.flush()
            try output.checkReader()
            // Several changes in quick succession are one.
            if changed.wait(timeout: .now() + pause) == .success, !cancellation.isCancelled {
                usleep(100_000)
                while changed.wait(timeout: .now()) == .success {}
            }
        } while !cancellation.isCancelled
    }

    /// Exchanges once, and returns why that failed; what failed so the last time as well is not printed again.
    private func exchange(_ place: SyncedPlace, _ output: StandardOutput, after last: String?) throws -> String? {
        do {
            let session = place.session
            Self.print(try ReadCancellation.waiting { try await session.exchange() }, output)
            return nil
        } catch let error as SyncError {
            if last != error.description {
                StandardError.write("\(Release.name): \(error.description) \(error.cure)")
            }
            return error.description
        }
    }

    private static func print(_ summary: SyncSummary, _ output: StandardOutput) {
        for refusal in summary.refused {
            StandardError.write(
                "\(Release.name): warning: \(PrintableText.escaped(refusal.item)): refused: \(refusal.reason)")
        }
        if summary.inserted + summary.updated + summary.deleted > 0 {
            output.say("\(summary.inserted) inserted, \(summary.updated) updated, \(summary.deleted) deleted here")
        }
        for report in summary.reports { output.say(report) }
    }
}
