import CoreData

/// Something that the library does to stores in a folder, which faults and kills are to interrupt.
///
/// Whatever happens, the stores hold what they held before or what the operation makes of them.
struct Operation: Sendable {
    let name: String
    /// The versions that the stores may be of.
    let models: @Sendable () -> [NSManagedObjectModel]
    /// Makes what the operation works on, in an empty folder.
    let prepare: @Sendable (URL) throws -> Void
    /// Carries the operation out, and gives what it answers, as text.
    let run: @Sendable (URL) throws -> String

    static func named(_ name: String) throws -> Operation {
        guard let operation = all.first(where: { $0.name == name }) else { throw Failure("no operation \(name)") }
        return operation
    }
}
