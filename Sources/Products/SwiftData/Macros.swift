/// Makes a class a model: a store keeps its variables, and the class conforms to `PersistentModel` and `Observable`.
@attached(
    member, conformances: PersistentModel, Observable,
    names: named(_$storage), named(_$own), named(_$base), named(_$storages), named(_$superclass),
    named(init(_$storage:)), named(schemaMetadata), named(schemaAnnotations))
@attached(memberAttribute)
@attached(extension, conformances: PersistentModel, Observable)
public macro Model() = #externalMacro(module: "SwiftDataMacros", type: "ModelMacro")

/// Gives options of an attribute, its name in the version before, and a text that changes its version hash.
@attached(peer)
public macro Attribute(
    _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "AnnotationMacro")

/// Gives the rules of a relationship: what happens on deletion, how many models it has, and its inverse.
@attached(peer)
public macro Relationship(
    _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
    minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
    hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "AnnotationMacro")

/// Leaves a variable out of the store.
@attached(peer)
public macro Transient() = #externalMacro(module: "SwiftDataMacros", type: "AnnotationMacro")

/// Declares indexes over properties, each a list of key paths, in the body of a model class.
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: [PartialKeyPath<T>]...) =
    #externalMacro(module: "SwiftDataMacros", type: "EmptyDeclarationMacro")

/// Declares indexes of given kinds in the body of a model class.
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: Schema.Index<T>.Types<T>...) =
    #externalMacro(module: "SwiftDataMacros", type: "EmptyDeclarationMacro")

/// Declares groups of properties whose values together are unique, in the body of a model class.
@freestanding(declaration)
public macro Unique<T: PersistentModel>(_ constraints: [PartialKeyPath<T>]...) =
    #externalMacro(module: "SwiftDataMacros", type: "EmptyDeclarationMacro")

/// Gives an actor a context of its own, on whose executor the actor runs.
@attached(
    member, conformances: ModelActor,
    names: named(modelExecutor), named(modelContainer), named(unownedExecutor), named(init(modelContainer:)))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "SwiftDataMacros", type: "ModelActorMacro")

/// Added by `@Model` to each persisted variable, with its number; not for use in sources.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_))
public macro _PersistedProperty(_ number: Int) =
    #externalMacro(module: "SwiftDataMacros", type: "PersistedPropertyMacro")

/// Added by `@Model` to each persisted variable of a class that may have a superclass; not for use in sources.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_))
public macro _PersistedMember(_ number: Int) =
    #externalMacro(module: "SwiftDataMacros", type: "PersistedPropertyMacro")
