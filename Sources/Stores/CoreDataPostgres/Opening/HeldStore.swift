import CoreDataSQL
import PostgresKit

/// A store that a transaction of this program keeps all others out of, so that it is read without asking `Z_METADATA`.
///
/// It stands among the options of its opening. What is read is of one version, since that transaction has the table.
final class HeldStore {
    /// The option's key.
    static let option = "OpenCoreDataPostgreSQLHeldStoreOption"

    /// What the transaction has read there.
    let metadata: PostgresMetadata

    init(_ metadata: PostgresMetadata) { self.metadata = metadata }
}
