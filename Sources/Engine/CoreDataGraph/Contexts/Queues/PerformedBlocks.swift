// Requirements for the blocks of the `perform` methods and for their results.
//
// Apple's SDKs before 26 require nothing of the blocks, and sources written for 26 build without requirements too. The
// package trait `SendableBlocks` has the requirements of the 26 SDK.

#if SendableBlocks
    /// A block that a context or coordinator runs on its queue and whose result the caller waits for.
    public typealias PerformedBlock<Result, Failure: Error> = @Sendable () throws(Failure) -> Result

    /// The requirement for the result of such a block.
    public typealias PerformedResult = Sendable
#else
    /// A block that a context or coordinator runs on its queue and whose result the caller waits for.
    public typealias PerformedBlock<Result, Failure: Error> = () throws(Failure) -> Result

    /// The requirement for the result of such a block: none, unless the package trait `SendableBlocks` is on.
    public typealias PerformedResult = Any
#endif
