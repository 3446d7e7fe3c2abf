/// A value that refers to a stored record: in predicates two of them are equal if they refer to the same record.
///
/// Managed objects and their identifiers conform, so that an object equals its identifier and itself in another
/// context.
package protocol RecordReference {
    var recordIdentity: AnyHashable { get }
}
