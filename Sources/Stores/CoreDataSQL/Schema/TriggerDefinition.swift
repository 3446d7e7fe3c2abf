/// A trigger that maintains a derived attribute.
package struct TriggerDefinition: Sendable, Equatable {
    package let name: String
    /// The entity that declares the attribute.
    package let entity: String
    package let attribute: String
    /// The table whose changes fire the trigger.
    package let table: String
    /// The statement that creates the trigger.
    package let sql: String
}
