import CSQLite

/// Computes an SQL aggregate function for the rows of one group.
package protocol GroupAggregating: AnyObject {
    /// Adds a row.
    func step(_ arguments: FunctionArguments) throws
    /// The result; called after all rows of the group have been added.
    func result() throws -> Value
}

extension Connection {
    /// Registers an SQL aggregate function; `make` is called once for each group.
    ///
    /// An error that the aggregate throws becomes the statement's error.
    package func registerAggregate(
        _ name: String, argumentCount: Int, flags: FunctionFlags = [],
        _ make: @escaping () -> any GroupAggregating
    ) throws(SQLiteError) {
        let handle = try open(for: "register function \(name)")
        let box = Unmanaged.passRetained(AggregateBox(make)).toOpaque()
        // On failure SQLite calls the destructor itself.
        let code = sqlite3_create_function_v2(
            handle, name, Int32(clamping: argumentCount), SQLITE_UTF8 | flags.rawValue, box, nil,
            { stepAggregate($0, $1, $2) }, { finishAggregate($0) }, { releaseBox($0) })
        try check(code, "register function \(name)")
    }
}

private final class AggregateBox {
    let make: () -> any GroupAggregating
    init(_ make: @escaping () -> any GroupAggregating) { self.make = make }

    static func of(_ context: OpaquePointer) -> AggregateBox? {
        sqlite3_user_data(context).map { Unmanaged<AggregateBox>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The memory in which SQLite stores the reference to a group's object; zero until the group's first row.
private func place(_ context: OpaquePointer, creating: Bool) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
    let size = creating ? Int32(MemoryLayout<UnsafeMutableRawPointer?>.size) : 0
    return sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
}

private func stepAggregate(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let context, let place = place(context, creating: true), let box = AggregateBox.of(context) else { return }
    do {
        if place.pointee == nil { place.pointee = Unmanaged.passRetained(box.make() as AnyObject).toOpaque() }
        guard let known = place.pointee,
            let group = Unmanaged<AnyObject>.fromOpaque(known).takeUnretainedValue() as? any GroupAggregating
        else { return }
        try group.step(FunctionArguments(context: context, count: count, values: values))
    } catch {
        sqlite3_result_error(context, "\(error)", -1)
    }
}

/// Called once for each group, also after an error, and for a group without rows.
private func finishAggregate(_ context: OpaquePointer?) {
    guard let context, let box = AggregateBox.of(context) else { return }
    let known = place(context, creating: false)?.pointee
    let object = known.map { Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue() }
    do {
        setResult(try (object as? any GroupAggregating ?? box.make()).result(), context)
    } catch {
        sqlite3_result_error(context, "\(error)", -1)
    }
}
