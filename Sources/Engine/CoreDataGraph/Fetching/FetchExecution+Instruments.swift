import CSwiftRuntime
import CoreDataStore

/// Recording fetches for instruments.
extension FetchExecution {
    /// Records a fetch that began at `start`; 0 means that nothing is recorded.
    func record(_ result: String, rows: Int, since start: UInt64) {
        guard start != 0 else { return }
        var event = context.instrumentEvent(.fetch, since: start)
        event.entity = layout.entity.name ?? ""
        event.rows = rows
        if result == "count" { event.flags = .counted }
        if InstrumentRecorder.wantsTexts { addTexts(to: &event, result) }
        InstrumentRecorder.record(event)
    }

    private func addTexts(to event: inout InstrumentEvent, _ result: String) {
        var shape = FetchShape()
        shape.result = result
        shape.sort = (request.sortDescriptors ?? []).compactMap { descriptor in
            descriptor.key.map { $0 + (descriptor.ascending ? "" : "-") }
        }
        shape.prefetched = request.relationshipKeyPathsForPrefetching ?? []
        shape.limit = request.fetchLimit
        shape.batchSize = request.fetchBatchSize
        event.shape = shape.text
        event.detail = request.predicate.map(PredicateOutline.text) ?? ""
    }
}

/// The text of a predicate with a variable in place of each value.
enum PredicateOutline {
    static func text(_ predicate: NSPredicate) -> String {
        guard let outline = try? rewriting.applied(to: predicate) else { return "" }
        switch PredicateNode(outline) {
        case .opaque: return "BLOCKPREDICATE"
        default: return outline.formatString
        }
    }

    private static var rewriting: ExpressionRewriting { ExpressionRewriting(outline) }

    private static func outline(_ expression: NSExpression) throws -> NSExpression? {
        switch expression.form {
        case .constant, .fetch, .block, .call: return NSExpression(.variable("v"))
        case .aggregate(let parts) where parts.allSatisfy(isConstant): return NSExpression(.variable("v"))
        case .subquery(let collection, let variable, let predicate):
            return NSExpression(
                .subquery(
                    collection: try rewriting.applied(to: collection), variable: variable,
                    predicate: try rewriting.applied(to: predicate)))
        default: return nil
        }
    }

    private static func isConstant(_ expression: NSExpression) -> Bool {
        if case .constant = expression.form { true } else { false }
    }
}
