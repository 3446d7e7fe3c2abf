// What the blocks of the `perform` family and their results must be.
//
// Plain blocks are what Apple's SDKs before 26 ask for, and sources made for 26 build with them too. The package trait
// `SendableBlocks` asks for what the 26 SDK asks for.

#if SendableBlocks
    /// A block that a context or coordinator runs on its queue and whose result the caller waits for.
    public typealias PerformedBlock<Result, Failure: Error> = @Sendable () throws(Failure) -> Result

    /// What the result of such a block must be.
    public typealias PerformedResult = Sendable
#else
    /// A block that a context or coordinator runs on its queue and whose result the caller waits for.
    public typealias PerformedBlock<Result, Failure: Error> = () throws(Failure) -> Result

    /// What the result of such a block must be: anything, unless the package trait `SendableBlocks` is on.
    public typealias PerformedResult = Any
#endif
