import CoreDataGraph
package enum SQLParameter { case null, integer(Int64), real(Double), text(String), blob(Data) }
package struct CompiledQuery { package let sql: String; package let parameters: [SQLParameter] }
package struct QueryCompiler {
    let schema: StoreSchema
    package init(schema: StoreSchema, model: ModelLayout, storeIdentifier: String) { self.schema = schema }
    package func select(_ query: FetchQuery, columns: [String]) throws -> CompiledQuery {
        let m = schema.entity(named: query.binding.layout.entity.name ?? "")!
        let nums = query.includesSubentities ? m.familyNumbers : [m.number]
        let order = (query.sortDescriptors.compactMap { d in d.sorting.key.flatMap { m.attribute($0) }.map { "t0.\($0.column)" + (d.ascending ? "" : " DESC") } } + ["t0.Z_PK"]).joined(separator: ",")
        return CompiledQuery(sql: "SELECT \(columns.map { "t0." + SQLIdentifier.quoted($0) }.joined(separator: ", ")) FROM \(m.table) t0" + (nums.count == schema.entities.filter { $0.table == m.table }.count ? "" : " WHERE t0.Z_ENT IN (\(nums.map(String.init).joined(separator: ",")))") + (query.sortDescriptors.isEmpty ? "" : " ORDER BY \(order)"), parameters: [])
    }
    package func count(_ query: FetchQuery) throws -> CompiledQuery {
        let s = try select(query, columns: ["Z_PK"])
        return CompiledQuery(sql: "SELECT count(*) FROM (\(s.sql))", parameters: [])
    }
}
