/// An object that evaluates `FUNCTION($manager, "name:", …)` or `FUNCTION($entityPolicy, "name:", …)` in a mapping
/// model.
///
/// Only names in the object's own list are accepted: text from an untrusted source cannot call any other method.
package protocol CallAnswering: AnyObject {
    /// The value of a call.
    ///
    /// - Throws: an error for a name that the object does not have, and what the computation throws.
    func answer(toCall name: String, arguments: [Any?]) throws -> Any?
}
