/// A value that stands for a stored record: two of them are equal in a predicate when the record is the same.
///
/// Managed objects and their identifiers conform, so that an object equals its identifier and itself in another
/// context.
package protocol RecordReference {
    var recordIdentity: AnyHashable { get }
}
