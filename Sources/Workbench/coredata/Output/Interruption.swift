import Dispatch
import Foundation

/// Ends work that would go on for ever when the process is asked to: by Ctrl-C, or by the process that started it.
final class Interruption {
    private let sources: [any DispatchSourceSignal]

    init(_ interrupted: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM].map { number in
            // Otherwise the process would end before it has printed what it knows.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: interrupted)
            source.resume()
            return source
        }
    }

    func end() { for source in sources { source.cancel() } }
}
