import CoreDataSQL
import PostgresKit

/// A store that a transaction of this program has locked exclusively, so that it is read without accessing
/// `Z_METADATA`.
///
/// Passed as an option when the store is opened. No other transaction can migrate the store, so reads are consistent.
final class HeldStore {
    /// The option's key.
    static let option = "OpenCoreDataPostgreSQLHeldStoreOption"

    /// The metadata as the transaction has read them.
    let metadata: PostgresMetadata

    init(_ metadata: PostgresMetadata) { self.metadata = metadata }
}
