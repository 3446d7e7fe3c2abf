extension ModelContext: Equatable {
    /// Returns whether two values are the same context.
    public static func == (first: ModelContext, second: ModelContext) -> Bool { first === second }
}

extension ModelContainer: Equatable {
    /// Returns whether two values are the same container.
    public static func == (first: ModelContainer, second: ModelContainer) -> Bool { first === second }
}
