import CoreDataSQL
import SQLiteKit

/// Sets new attributes in existing rows by the model's backfill rules (`CoreDataBackfillUserInfoKey`).
struct BackfilledAttributes {
    private let connection: Connection
    private let layouts: ModelLayout
    private let compiler: QueryCompiler

    init(_ connection: Connection, layouts: ModelLayout, configuration: String?) {
        self.connection = connection
        self.layouts = layouts
        let schema = StoreSchema(model: layouts.model, configuration: configuration)
        compiler = QueryCompiler(schema: schema, model: layouts, storeIdentifier: "")
    }

    /// - Throws: `NSMigrationError` naming the attribute if its rule is invalid or has an unsuitable value.
    func fill(after migration: SchemaMigration) throws {
        let functions = BatchFunctions()
        for attribute in migration.attributesToBackfill(layouts) {
            do {
                try fill(attribute, functions)
            } catch {
                throw SchemaMigration.backfillFailure(attribute, functions.failure ?? error)
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
}
