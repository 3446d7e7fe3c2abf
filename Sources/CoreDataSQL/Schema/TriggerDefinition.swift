/// A trigger that keeps a derived attribute up to date.
package struct TriggerDefinition: Sendable, Equatable {
    package let name: String
    package let table: String
    /// The statement that creates the trigger.
    package let sql: String
}
