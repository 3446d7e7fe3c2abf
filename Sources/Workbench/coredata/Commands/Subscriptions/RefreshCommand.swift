import CoreData
import CoreDataExchange
import CoreDataPrinting
import CoreDataWorkbench

/// `refresh`: asks for the URLs that a store subscribes to, and imports what is new.
struct RefreshCommand: Command {
    let syntax = CommandSyntax(
        name: ["refresh"],
        summary: "Asks for the URLs that a store subscribes to, those that are due, and imports what is new.",
        operands: [
            .store,
            CommandOperand(
                name: "URL", help: "A URL that is refreshed, due or not; all that are due without one.",
                isRepeated: true,
                isOptional: true),
        ],
        options: [
            Option(
                "every", value: "TIME",
                help: "Go on, and look each TIME (as 15s, 10m, 2h or 1d) what is due, until interrupted."),
            .model, .format([.table, .json]),
        ],
        details: [
            "Servers are asked whether there is anything new; each subscription is a transaction of its own, and one that fails "
                + "does not stop the others. A server that answers 429 or 503 with Retry-After is not asked before that time, also "
                + "if it is named.",
            "json is an object a line: {\"url\", \"result\"}, where the result is imported, notChanged, notDue or failed, with what "
                + "'import' reports, \"due\" or \"error\".",
            "Exit code 1 where one failed, or a record was refused; with --every 0 after an interruption.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        guard let pause = try arguments.duration("every") else {
            guard try refresh(arguments, output) else { throw ExitStatus(code: 1) }
            return
        }
        let (ended, cancellation) = (DispatchSemaphore(value: 0), ReadCancellation())
        let interruption = Interruption {
            cancellation.cancel()
            ended.signal()
        }
        defer { interruption.end() }
        repeat {
            do {
                _ = try ReadCancellation.$current.withValue(cancellation) { try refresh(arguments, output) }
            } catch is CancellationError {
                return
            } catch let error as InspectionError {
                // The store may be there again the next time.
                StandardError.write("\(Release.name): \(error.description)")
            }
            try output.flush()
            try output.checkReader()
        } while ended.wait(timeout: .now() + pause) == .timedOut
    }

    /// Refreshes what is due; false where something failed.
    private func refresh(_ arguments: Arguments, _ output: StandardOutput) throws -> Bool {
        let metadata = try StoreFacts(at: arguments.path(0)).metadata
        let named = try arguments.operands.dropFirst().map { try Subscription.to($0, in: metadata) }
        let now = Date()
        var (due, isWhole) = ([Subscription](), true)
        for subscription in named.isEmpty ? Subscription.all(in: metadata) : named {
            let waits = subscription.notBefore.map { $0 > now } ?? false
            if named.isEmpty ? subscription.isDue(at: now) : !waits {
                due.append(subscription)
            } else if !arguments.has("every") {
                print(.notDue(subscription.due ?? now), subscription, arguments, output)
            }
        }
        guard !due.isEmpty else { return true }
        let store = try OpenStore(at: arguments.path(0), model: arguments.model, for: .importing)
        defer { store.close() }
        for subscription in due {
            let outcome = try SubscriptionRefresh(at: now).run(subscription, in: store)
            print(outcome, subscription, arguments, output)
            switch outcome {
            case .failed: isWhole = false
            case .imported(let report) where report.refused > 0: isWhole = false
            default: break
            }
        }
        return isWhole
    }

    private func print(
        _ outcome: SubscriptionRefresh.Outcome, _ subscription: Subscription, _ arguments: Arguments,
        _ output: StandardOutput
    ) {
        let url = PrintableText.escaped(subscription.url.absoluteString)
        if arguments.format == .json {
            return output.line(JSONWriter.line(.members([.init(key: "url", value: .string(url))] + outcome.members)))
        }
        switch outcome {
        case .imported(let report): output.say("\(url): \(ImportCommand.total(of: report))")
        case .notChanged: output.say("\(url): not changed")
        case .notDue(let date): output.say("\(url): not due before \(ISODate.text(date))")
        case .failed(let error): StandardError.write("\(Release.name): \(url): \(Self.text(error, url))")
        }
    }

    /// The error without the URL, if it begins with that.
    private static func text(_ error: InspectionError, _ url: String) -> String {
        let text = error.description
        return text.hasPrefix(url + ": ") ? String(text.dropFirst(url.count + 2)) : text
    }
}
