import Dispatch

/// Ends work that would go on for ever when the process is asked to: by Ctrl-C, or by the process that started it.
///
/// From `init` to `end()` the signals SIGINT and SIGTERM call a block. Afterwards they do what they did before.
package final class Interruption {
    private var sources: [any DispatchSourceSignal] = []
    private var former: [(signal: Int32, handler: (@convention(c) (Int32) -> Void)?)] = []

    /// Returns once no signal is missed.
    package init(_ interrupted: @escaping @Sendable () -> Void) {
        let registrations = DispatchGroup()
        for number in [SIGINT, SIGTERM] {
            // Otherwise the process would end before it has printed what it knows.
            former.append((number, signal(number, SIG_IGN)))
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: interrupted)
            registrations.enter()
            source.setRegistrationHandler { registrations.leave() }
            source.resume()
            sources.append(source)
        }
        registrations.wait()
    }

    package func end() {
        for source in sources { source.cancel() }
        for (number, handler) in former { signal(number, handler) }
        (sources, former) = ([], [])
    }
}
