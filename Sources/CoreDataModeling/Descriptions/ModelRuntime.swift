/// The base of what a higher module computes of a model once, and the model then owns.
package class ModelRuntime: @unchecked Sendable {
    package init() {}
}

/// The base of what a higher module computes of an entity once, and the entity then owns.
package class EntityRuntime: @unchecked Sendable {
    package init() {}
}
