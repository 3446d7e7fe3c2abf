import CMicroHTTPD
import CoreDataBrowser
import Synchronization

/// What the exchanges of a server share.
final class ServerCore: Sendable {
    let browser: Browser
    let places: ConnectionPlaces
    private let watch: DisconnectWatch
    private let tasks = RunningTasks()
    private let exchanges = Mutex(Register())

    private struct Register: Sendable {
        var last: UInt64 = 0
        var open: [UInt64: Exchange] = [:]
        var isEnding = false
    }

    init(_ browser: Browser, places: ConnectionPlaces) throws {
        self.browser = browser
        self.places = places
        watch = try DisconnectWatch()
    }

    /// How many requests are being answered, or still worked on after their clients have gone.
    var count: Int { max(exchanges.withLock { $0.open.count }, tasks.count) }

    /// Makes the exchange of a request that begins.
    ///
    /// - Parameter bytes: the length of the target as it came.
    func begin(target: String?, bytes: Int, _ connection: ConnectionHandle) -> Exchange {
        let (exchange, isEnding) = exchanges.withLock { register in
            register.last += 1
            let exchange = Exchange(
                register.last, target: target, bytes: bytes, connection: connection, browser: browser, tasks: tasks,
                places: places)
            register.open[exchange.number] = exchange
            return (exchange, register.isEnding)
        }
        if isEnding { exchange.abandon() }
        watch.add(connection.socket, as: exchange.number) { [weak exchange] in exchange?.abandon() }
        return exchange
    }

    /// Forgets an exchange that the daemon is done with.
    func end(_ exchange: Exchange) {
        watch.remove(exchange.connection.socket, exchange.number)
        exchange.complete()
        places.set(exchange.connection, .idle)
        exchanges.withLock { _ = $0.open.removeValue(forKey: exchange.number) }
    }

    /// Gives up all requests, those that are still to come too.
    func abandonAll() { for exchange in end() { exchange.abandon() } }

    /// Gives up what has no end by itself, and all requests that are still to come.
    func abandonEndless() { for exchange in end() where exchange.isEndless { exchange.abandon() } }

    /// Takes no more requests; tells those that are there.
    private func end() -> [Exchange] {
        exchanges.withLock { register in
            register.isEnding = true
            return Array(register.open.values)
        }
    }
}
