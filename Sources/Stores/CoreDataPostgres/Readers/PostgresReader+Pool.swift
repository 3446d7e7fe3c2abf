import CoreDataSQL
import Dispatch
import PostgresKit

/// The pool of readers of a store on a server: connections besides the one that writes.
extension PostgresReader {
    static func pool(_ shape: PostgresShape, _ connector: PostgresConnector) -> ReaderPool {
        var settings = ReaderPool.Settings()
        settings.count = connector.settings.readerCount
        settings.leastCount = connector.settings.leastReaderCount
        settings.patience = connector.settings.patience
        settings.idleTime = connector.settings.idleTime
        settings.lifetime = connector.settings.lifetime
        let subject = ReaderPool.Subject(store: shape.location.publicURL.lastPathComponent, system: "postgresql")
        let clock = DispatchQueue(label: "CoreData.PostgresReader")
        return ReaderPool(subject, settings: settings) {
            let session = PostgresSession(shape, connection: try connector.connect(), connector: connector)
            return PostgresReader(session, clock: clock)
        }
    }
}

extension ReaderPool {
    private var idleServerReaders: [PostgresReader] { idleReaders.compactMap { $0 as? PostgresReader } }

    /// The number of round trips that the idle readers have made.
    var idleRoundTrips: Int { idleServerReaders.reduce(0) { $0 + $1.roundTrips } }

    /// The number of rows that the server has sent to the idle readers.
    var idleRowsReceived: Int { idleServerReaders.reduce(0) { $0 + $1.rowsReceived } }
}
