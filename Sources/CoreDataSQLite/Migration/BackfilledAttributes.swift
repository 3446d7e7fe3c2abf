import CoreDataSQL
import SQLiteKit

/// Fills new attributes of old rows by the rules that the model gives for them (`CoreDataBackfillUserInfoKey`).
struct BackfilledAttributes {
    private let connection: Connection
    private let layouts: ModelLayout
    private let compiler: QueryCompiler

    init(_ connection: Connection, _ layouts: ModelLayout, _ configuration: String?) {
        self.connection = connection
        self.layouts = layouts
        let schema = StoreSchema(model: layouts.model, configuration: configuration)
        compiler = QueryCompiler(schema: schema, model: layouts, storeIdentifier: "")
    }

    /// - Throws: 134110 naming the attribute whose rule is none, or gives what is no value of it.
    func fill(after migration: SchemaMigration) throws {
        let functions = BatchFunctions()
        for attribute in attributes(newIn: migration) {
            do {
                try fill(attribute, functions)
            } catch {
                throw refusal(attribute, functions.failure ?? error)
            }
        }
    }

    /// The attributes with rules that no kept entity had before, each with the entity that declares it.
    private func attributes(newIn migration: SchemaMigration) -> [NSAttributeDescription] {
        layouts.entities.flatMap { layout in
            layout.entity.ownProperties.compactMap { $0 as? NSAttributeDescription }
                .filter { $0.backfillRule != nil && $0.isStored && !($0 is NSDerivedAttributeDescription) }
                .filter { attribute in
                    !migration.keptEntities.contains { kept in
                        let entity = layouts.layout(named: kept.after.name)?.entity
                        return entity?.isKindOf(entity: layout.entity) == true
                            && kept.names.values.contains(attribute.name)
                    }
                }
        }
    }

    private func fill(_ attribute: NSAttributeDescription, _ functions: BatchFunctions) throws {
        guard let entity = attribute.entity, let layout = layouts.layout(named: entity.name ?? ""),
            let mapping = compiler.schema.entity(named: entity.name ?? ""),
            let column = mapping.attribute(attribute.name)?.column
        else { return }
        let expression = try NSExpression(parsing: attribute.backfillRule ?? "")
        let update = try compiler.update(
            FetchQuery(binding: EntityBinding(unowned: layout)),
            [BatchAssignment(column: column, source: .computed(expression, attribute))], report: .count,
            raisesVersions: false)
        try QueryFunctions.register(on: connection)
        functions.conversions = update.conversions
        try functions.registerConversions(on: connection)
        try connection.execute(update.query.sql, update.query.parameters.map(QueryFunctions.value))
    }

    private func refusal(_ attribute: NSAttributeDescription, _ error: any Error) -> NSError {
        let name = "\(attribute.entity?.name ?? "").\(attribute.name)"
        return CoreDataError.make(
            NSMigrationError,
            "The rule by which old objects get a value of \(name) cannot be carried out: \(error)",
            hint: "Look at '\(CoreDataBackfillUserInfoKey)' in the attribute's user info.", underlying: error,
            userInfo: ["entity": attribute.entity?.name ?? "", "attribute": attribute.name])
    }
}
