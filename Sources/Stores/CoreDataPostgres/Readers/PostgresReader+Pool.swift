import CoreDataSQL
import Dispatch
import PostgresKit

/// The readers of a store on a server: connections of their own to its writer.
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

    /// How often the idle readers waited for an answer of the server.
    var idleRoundTrips: Int { idleServerReaders.reduce(0) { $0 + $1.roundTrips } }

    /// How many rows the server has sent to the idle readers.
    var idleRowsReceived: Int { idleServerReaders.reduce(0) { $0 + $1.rowsReceived } }
}
