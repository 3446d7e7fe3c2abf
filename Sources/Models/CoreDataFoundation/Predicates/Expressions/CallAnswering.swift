/// What answers `FUNCTION($manager, "name:", …)` and `FUNCTION($entityPolicy, "name:", …)` in a mapping model's expressions.
///
/// Nothing is looked up by the name but what the object itself has in a list: text from outside reaches no other method.
package protocol CallAnswering: AnyObject {
    /// The value of a call.
    ///
    /// - Throws: for a name that the object does not answer, and what the computation throws.
    func answer(toCall name: String, arguments: [Any?]) throws -> Any?
}
