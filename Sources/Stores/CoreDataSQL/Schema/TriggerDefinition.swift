/// A trigger that keeps a derived attribute up to date.
package struct TriggerDefinition: Sendable, Equatable {
    package let name: String
    /// The entity that declares the attribute.
    package let entity: String
    package let attribute: String
    /// The table whose changes it follows.
    package let table: String
    /// The statement that creates the trigger.
    package let sql: String
}
