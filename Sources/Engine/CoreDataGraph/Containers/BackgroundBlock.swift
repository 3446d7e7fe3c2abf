#if SendableBlocks
    /// A block that a container runs with a new background context.
    public typealias BackgroundBlock<Result, Failure: Error> =
        @Sendable (NSManagedObjectContext) throws(Failure) -> Result
#else
    /// A block that a container runs with a new background context.
    public typealias BackgroundBlock<Result, Failure: Error> = (NSManagedObjectContext) throws(Failure) -> Result
#endif
